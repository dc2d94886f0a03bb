import { vi } from "vitest";

/** What Vitest empties between files that have a process each: who stands in the place of a module. It has no public name. */
declare const __vitest_mocker__: {
  reset(): void;
  invalidateModuleById(id: string): void;
  readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, unknown> };
};

const replacing = "mock:";

// The page keeps its state in modules, for as long as it lives: every file of tests begins with new ones, with none that
// another file put in the place of one, and with the globals of Node.js. That is cheaper than a process or a thread for each
// file, which would load everything else anew as well.
__vitest_mocker__.reset();
for (const id of __vitest_mocker__.evaluatedModules.idToModuleMap.keys())
  if (id.startsWith(replacing)) __vitest_mocker__.invalidateModuleById(id.slice(replacing.length));
vi.resetModules();
vi.unstubAllGlobals();
vi.useRealTimers();
