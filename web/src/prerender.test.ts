import { expect, test } from "vitest";
import { indexedPages } from "#features/pages/indexed-pages.ts";
import arabic from "../locales/ar.json";
import english from "../locales/en.json";
import { paths, prerenderPage } from "./prerender.tsx";

test("renders a visitor's home screen into the HTML, in its language", async () => {
  const inArabic = await prerenderPage("/", "ar");
  expect(inArabic).toMatchObject({ address: "/?lang=ar", direction: "rtl", title: arabic["app.title"] });
  expect(inArabic.html).toContain(arabic["home.title"]);
  const inEnglish = await prerenderPage("/", "en");
  expect(inEnglish).toMatchObject({ address: "/", direction: "ltr", description: english["app.description"] });
  expect(inEnglish.html).toContain(english["home.title"]);
});

test("renders every indexed page into the HTML, without a script or style of its own", async () => {
  expect(paths).toEqual(Object.keys(indexedPages));
  for (const path of paths) {
    const { html, title } = await prerenderPage(path, "en");
    expect([path, html.match(/<h1/g)?.length]).toEqual([path, 1]);
    expect([path, /<script|<template|\sstyle="/.exec(html)]).toEqual([path, null]);
    expect(title).toContain("Fava");
  }
});

test("leaves placeholders for the operator, which the server fills in", async () => {
  expect((await prerenderPage("/privacyPolicy", "tr")).html).toContain("{company}");
});
