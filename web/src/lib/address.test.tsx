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

test("adds a history entry for a path of the app, or replaces the current one", () => {
  goTo("/safety");
  goTo("/404", { replace: true });
  expect(steps).toEqual(["push /safety", "replace /404"]);
});

test("adds no second entry for the current path", () => {
  goTo("/aboutUs?lang=tr#how");
  goTo("/aboutUs");
  expect(steps).toEqual(["replace /aboutUs?lang=tr#how", "push /aboutUs"]);
});

test("tells components the path, from the address bar or from the build", () => {
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
