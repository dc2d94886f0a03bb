/**
 * Page translators replace text nodes of the page by `<font>` elements. React keeps using the nodes that it created,
 * and would crash when it removes one of them or inserts before it (https://github.com/facebook/react/issues/11538).
 */

/** The replacement of a removed text node; filled by `app/page-translation.ts`. */
export const replacementNodes = new WeakMap<Node, Node>();

let isTold = false;

/** Makes the page tolerate a node that is not where React has put it. Called once, before React starts. */
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

/** The node that replaces `node` among the children of `parent`; null if none is known. */
function placeIn(parent: Node, node: Node): Node | null {
  if (node.parentNode === parent) return node;
  if (!isTold) console.warn("a page translator replaced a node of React", node);
  isTold = true;
  let place: Node | null = node.isConnected ? node : (replacementNodes.get(node) ?? null);
  while (place && place.parentNode !== parent) place = place.parentNode;
  return place;
}
