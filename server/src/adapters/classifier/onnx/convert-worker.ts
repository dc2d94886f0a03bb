// A process that converts the models and ends: what it takes of memory ends with it.
import { convertModels } from "./model-files.ts";

const { directory } = JSON.parse(process.argv[3] ?? "") as { directory: string };
convertModels(directory);
process.disconnect();
