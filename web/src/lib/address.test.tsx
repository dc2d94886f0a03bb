import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AddressProvider, goTo, useAddress } from "#lib/address.ts";

let steps: string[];

beforeEach(() => {
  steps = [];
  vi.stubGlobal("window", {
    location: { pathname: "/aboutUs", search: "?lang=tr", hash: "#how" },
    history: {
      pushState: (_state: null, _title: string, path: string) => steps.push(`push ${path}`),
      replaceState: (_state: null, _title: string, path: string) => steps.push(`replace ${path}`),
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

test("a path of the app is a step in the history, unless it takes the place of the one before", () => {
  goTo("/safety");
  goTo("/404", { replace: true });
  expect(steps).toEqual(["push /safety", "replace /404"]);
});

test("going to where the page is leaves no second step", () => {
  goTo("/aboutUs?lang=tr#how");
  goTo("/aboutUs");
  expect(steps).toEqual(["replace /aboutUs?lang=tr#how", "push /aboutUs"]);
});

test("the parts of the page know where it is, from the address bar or from the build", () => {
  const Here = () => JSON.stringify(useAddress());
  const shown = (pathname?: string) => {
    const here = (
      <AddressProvider {...(pathname !== undefined && { pathname })}>
        <Here />
      </AddressProvider>
    );
    return renderToString(here).replaceAll("&quot;", '"');
  };
  expect(shown()).toBe('{"pathname":"/aboutUs","search":"?lang=tr","hash":"#how"}');
  expect(shown("/safety")).toBe('{"pathname":"/safety","search":"","hash":""}');
});
