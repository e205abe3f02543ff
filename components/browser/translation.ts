// A browser's translator puts a <font> with the translation in the place of a text, or around it. React keeps the text:
// it fails at removing it, or at inserting beside it, and changes it unseen (docs/decisions/0100-translated-pages.md).
const TRANSLATION = 'FONT';

/** What a translator has put in the place of a text that React still holds. */
const standIns = new WeakMap<Node, ChildNode>();
let isGuarded = false;

/** Keeps the pages working, and their texts up to date, while a translator changes them. */
export function followTranslators(): void {
  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      // React has changed a text that is off the page: it comes back, and the translator sees it.
      if (type === 'characterData') standIns.get(target)?.replaceWith(target);
      const font = [...addedNodes, previousSibling, nextSibling].find(
        (node) => node?.nodeName === TRANSLATION,
      );
      if (!font) continue;
      guardNodes();
      for (const text of removedNodes) {
        // A text that was only moved, or is inside its translation, is found by its place. One that React has removed
        // is noted in vain: React never asks for it again.
        if (!(text instanceof Text) || text.isConnected) continue;
        standIns.set(text, font as ChildNode);
        observer.observe(text, { characterData: true });
      }
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/** React's two methods find what stands in the place of a node that a translator has moved. */
function guardNodes(): void {
  if (isGuarded) return;
  isGuarded = true;
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const place = childInPlaceOf(child, this);
    if (place) removeChild.call(this, place);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    return insertBefore.call(this, node, before && childInPlaceOf(before, this)) as T;
  };
}

/** The child of `parent` that is, contains or replaces a node; null when there is none any more. */
function childInPlaceOf(node: Node, parent: Node): Node | null {
  let place: Node | null = node;
  while (place && place.parentNode !== parent) place = place.parentNode ?? standIns.get(place) ?? null;
  return place;
}
