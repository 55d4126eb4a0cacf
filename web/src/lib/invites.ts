// Invitation links, stored on the device that created the table: the server only has hashes.
import type { Made } from "../api/types";

export interface Invites {
  link: string; // to the table
  seats: Record<string, string>; // to single seats
}

const key = (table: string): string => `powderkeg.invite.${table}`;

export function keepInvite(made: Made): void {
  const invites: Invites = { link: linkHere(made.link), seats: {} };
  for (const [seat, link] of Object.entries(made.invites ?? {}))
    invites.seats[seat] = linkHere(link);
  try {
    localStorage.setItem(key(made.id), JSON.stringify(invites));
  } catch {
    // a private window has no storage: the links cannot be shown again
  }
}

export function invitesOf(table: string): Invites {
  try {
    return JSON.parse(localStorage.getItem(key(table)) ?? "") as Invites;
  } catch {
    return { link: "", seats: {} };
  }
}

/** The link of a table that anybody may join who knows where it is. */
export const tableLink = (table: string): string => linkHere(`/t/${encodeURIComponent(table)}`);

/** The link with this page's origin: the server may not know its own public address. */
export function linkHere(link: string): string {
  const url = new URL(link, location.origin);
  return location.origin + url.pathname + url.search;
}
