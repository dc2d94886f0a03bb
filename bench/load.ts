import { LoadCrowd, type LoadFigures } from "./load-crowd.ts";

/** The process that makes the load: does one thing after the other, as server.ts tells it. */
export type LoadOrder =
  | { readonly type: "sign-in"; readonly url: string; readonly people: number; readonly isBare: boolean }
  | { readonly type: "connect" }
  | { readonly type: "rate"; readonly perSecond: number; readonly seconds: number }
  | { readonly type: "saturate"; readonly warmUpSeconds: number; readonly seconds: number }
  | { readonly type: "stop" };
export type LoadReport = { readonly type: "began" } | { readonly type: "done"; readonly figures: LoadFigures | null };

let crowd: LoadCrowd | null = null;

process.on("message", (order: LoadOrder) => {
  obey(order).then(
    (figures) => report({ type: "done", figures }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
// Without its parent there is nothing to measure.
process.on("disconnect", () => process.exit(0));

async function obey(order: LoadOrder): Promise<LoadFigures | null> {
  if (order.type === "sign-in") {
    crowd = new LoadCrowd(order.url, order.people);
    if (order.isBare) crowd.introduce();
    else await crowd.signIn();
    return null;
  }
  if (!crowd) throw new Error("nobody has signed in");
  switch (order.type) {
    case "connect":
      await crowd.connect();
      return null;
    case "rate":
      return crowd.pressAtRate(order.perSecond, order.seconds);
    case "saturate":
      return crowd.saturate({ ...order, began: () => report({ type: "began" }) });
    case "stop":
      await crowd.stop();
      return null;
  }
}

function report(said: LoadReport): void {
  process.send?.(said);
}
