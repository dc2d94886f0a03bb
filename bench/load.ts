import { LoadCrowd, type LoadFigures } from "./load-crowd.ts";
import { openSocketIo, openWebSocket } from "./text-socket.ts";

/** A bare server trusts the ids that users give. */
export type ServerKind = "product" | "bare" | "bare socket.io";

/** The process that makes the load, one order of server.ts at a time. */
export type LoadOrder =
  | { readonly type: "sign-in"; readonly urls: readonly string[]; readonly people: number; readonly kind: ServerKind }
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
    crowd = new LoadCrowd(order.urls, order.people, order.kind === "bare socket.io" ? openSocketIo : openWebSocket);
    if (order.kind === "product") await crowd.signIn();
    else crowd.introduce();
    return null;
  }
  if (!crowd) throw new Error("no user has signed in");
  switch (order.type) {
    case "connect":
      await crowd.connect();
      return null;
    case "rate":
      return crowd.pressAtRate(order.perSecond, order.seconds);
    case "saturate":
      return crowd.saturate({ ...order, began: () => report({ type: "began" }) });
    case "stop":
      return crowd.stop();
  }
}

function report(said: LoadReport): void {
  process.send?.(said);
}
