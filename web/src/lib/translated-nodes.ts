/**
 * Page translators take text nodes out of the page and put `<font>` elements in their place. React goes on with the nodes that
 * it has made, and would break the page where it removes one of them or puts something before it
 * (https://github.com/facebook/react/issues/11538).
 */

/** What stands in place of a text that was taken out; filled by `app/page-translation.ts`. */
export const standIns = new WeakMap<Node, Node>();

let isTold = false;

/** Has the page go on where a node is not where React has put it. Called once, before React. */
export function tolerateTranslators(): void {
  // oxlint-disable-next-line typescript/unbound-method -- both are called on the node whose they are
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    const place = placeIn(this, child);
    if (place) removeChild.call(this, place);
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, node: Child, before: Node | null): Child {
    return insertBefore.call(this, node, before && placeIn(this, before)) as Child;
  };
}

/** What stands for `node` among the children of `parent`; null where nothing is known to. */
function placeIn(parent: Node, node: Node): Node | null {
  if (node.parentNode === parent) return node;
  if (!isTold) console.warn("a page translator has replaced what React made", node);
  isTold = true;
  let place: Node | null = node.isConnected ? node : (standIns.get(node) ?? null);
  while (place && place.parentNode !== parent) place = place.parentNode;
  return place;
}
