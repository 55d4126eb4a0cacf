// What changed in a JSON value; the server makes it in server/views/delta.py. Parts that are not named stay
// the same objects, so that nothing that depends on them is drawn again.

export interface Delta {
  set?: Record<string, unknown>; // members that are new or replaced
  cut?: string[]; // members that are gone
  in?: Record<string, Delta>; // members that changed inside
  splice?: [place: number, count: number, values: unknown[]]; // of a list that grew or shrank
}

type Members = Record<string, unknown>;

/** The value after a change; `before` stays as it was. */
export function applyDelta<T>(before: T, delta: Delta): T {
  const now = (Array.isArray(before) ? spliced(before, delta) : { ...before }) as Members;
  for (const name of delta.cut ?? []) delete now[name];
  Object.assign(now, delta.set);
  for (const [name, part] of Object.entries(delta.in ?? {}))
    now[name] = applyDelta(now[name], part);
  return now as T;
}

function spliced(before: unknown[], { splice }: Delta): unknown {
  if (!splice) return [...before];
  const [place, count, values] = splice;
  return [...before.slice(0, place), ...values, ...before.slice(place + count)];
}
