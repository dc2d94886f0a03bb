import { vi } from "vitest";

// The page keeps its state in modules: every test file starts with new ones. That is cheaper than a process for each
// file, which would load everything else again as well.
vi.resetModules();
