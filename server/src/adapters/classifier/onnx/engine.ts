import { env } from "node:process";
import type { InferenceSession, Tensor } from "onnxruntime-web";

const inputName = "picture";

export const engineNames = ["onnx-native", "onnx-wasm"] as const;
export type EngineName = (typeof engineNames)[number];

export interface Engine {
  readonly name: EngineName;
  open(model: Uint8Array, edgePx: number): Promise<Network>;
}

export interface Network {
  /** @param planes one picture, from `planesOf`. Returns the probability of each class. */
  judge(planes: Float32Array): Promise<Float32Array>;
}

interface Runtime {
  readonly Tensor: new (type: "float32", data: Float32Array, sizes: readonly number[]) => Tensor;
  open(model: Uint8Array): Promise<InferenceSession>;
}

/** Loads the first engine of the list that works on this machine. @throws AggregateError with the failure of each. */
export async function loadEngine(names: readonly EngineName[]): Promise<Engine> {
  const problems: unknown[] = [];
  for (const name of names) {
    try {
      const runtime = await runtimes[name]();
      return { name, open: (model, edgePx) => openNetwork(runtime, model, edgePx) };
    } catch (error) {
      problems.push(error);
    }
  }
  throw new AggregateError(problems, `no engine works: ${problems.map(String).join("; ")}`);
}

const runtimes: Readonly<Record<EngineName, () => Promise<Runtime>>> = {
  "onnx-native": async () => {
    // By default the library sends data about each session to Microsoft.
    env["ORT_DISABLE_TELEMETRY"] = "1";
    const { InferenceSession: Session, Tensor } = await import("onnxruntime-node");
    const options = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: "sequential" } as const;
    return { Tensor, open: (model) => Session.create(model, options) };
  },
  "onnx-wasm": async () => {
    const { env: settings, InferenceSession: Session, Tensor } = await import("onnxruntime-web");
    settings.wasm.numThreads = 1;
    return { Tensor, open: (model) => Session.create(model) };
  },
};

async function openNetwork(runtime: Runtime, model: Uint8Array, edgePx: number): Promise<Network> {
  const session = await runtime.open(model);
  const [output] = session.outputNames;
  if (output === undefined) throw new Error("a model has no output");
  const judge = async (planes: Float32Array): Promise<Float32Array> => {
    const picture = new runtime.Tensor("float32", planes, [1, 3, edgePx, edgePx]);
    const { [output]: scores } = await session.run({ [inputName]: picture });
    return scores?.data as Float32Array;
  };
  // The first run allocates memory and takes several times as long as later ones.
  await judge(new Float32Array(3 * edgePx * edgePx));
  return { judge };
}
