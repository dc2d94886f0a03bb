import { vi } from "vitest";

// The page keeps its state in modules, for as long as it lives: every file of tests begins with new ones. That is cheaper
// than a process for each file, which would load everything else anew as well.
vi.resetModules();
