// How far a tour has come on this device. A private window works without it and begins again.

const keyOf = (table: string): string => `powderkeg.tour.${table}`;

export function keptStep(table: string): number {
  try {
    const kept = Number(localStorage.getItem(keyOf(table)) ?? 0);
    return Number.isInteger(kept) && kept > 0 ? kept : 0;
  } catch {
    return 0;
  }
}

export function keepStep(table: string, step: number): void {
  try {
    localStorage.setItem(keyOf(table), String(step));
  } catch {
    // a private window has no storage
  }
}
