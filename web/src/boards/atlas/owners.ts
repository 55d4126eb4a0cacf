// The owners of the land, and what is under the pointer.

/** Owners' colours with their hatching, for a layer of their own. */
export const ownerWashes = (owners: Iterable<readonly [string, string]>): string =>
  [...owners]
    .map(
      ([place, owner]) =>
        `<use href="#${place}" class="wash ${owner}"/>` +
        `<use href="#${place}" fill="url(#tincture-${owner})"/>`,
    )
    .join("");

/** The place under the pointer: the first name there that `means` something. */
export function under(
  at: { clientX: number; clientY: number },
  means: (name: string) => string,
): string {
  for (const element of document.elementsFromPoint(at.clientX, at.clientY)) {
    const place = means((element as SVGElement).dataset["place"] ?? element.id);
    if (place) return place;
  }
  return "";
}

/** Enter and Space on a place do what a click does, and nothing else. */
export const onKey =
  (choose: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    choose();
  };
