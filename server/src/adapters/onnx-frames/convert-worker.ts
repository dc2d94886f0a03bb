// A thread that converts the models and ends: what it takes of memory ends with it.
import { workerData } from "node:worker_threads";
import { convertModels } from "./model-files.ts";

const { setup } = workerData as { setup: { directory: string } };
convertModels(setup.directory);
