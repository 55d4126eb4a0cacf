// Pieces that travel: when a board changes, small copies fly from where something was to where it is
// now. Places carry `data-at`; nothing on the page moves but the copies.
import { motionless } from "../settings.svelte";
import { currentPace } from "./pace";

/** One piece, or a few, on its way. `from` and `to` are values of `data-at`. */
export interface Flight {
  from: string;
  to: string;
  look: "cube" | "unit" | "card" | "disc" | "mark";
  colour: string; // a CSS value
  count?: number;
}

const MOST_PIECES = 5; // of one flight: more would be a swarm
const TIMES = { off: 0, fast: 320, normal: 620, slow: 950 }; // milliseconds

export class Flights {
  private places = new Map<string, DOMRect>();

  /** Remembers where everything is, before the board changes. */
  remember(): void {
    this.places.clear();
    for (const element of document.querySelectorAll<HTMLElement>("[data-at]"))
      this.places.set(element.dataset["at"] ?? "", element.getBoundingClientRect());
  }

  /** Sends the pieces on their way, after the board has changed. */
  launch(flights: readonly Flight[]): void {
    if (motionless() || currentPace() === "off") return;
    for (const flight of flights) {
      const to = document
        .querySelector(`[data-at="${CSS.escape(flight.to)}"]`)
        ?.getBoundingClientRect();
      const from = this.places.get(flight.from);
      if (isSeen(from) && isSeen(to)) send(flight, from, to);
    }
  }
}

const isSeen = (box: DOMRect | undefined): box is DOMRect =>
  !!box && box.width > 0 && box.bottom > 0 && box.top < innerHeight;

function send(flight: Flight, from: DOMRect, to: DOMRect): void {
  const pieces = Math.max(1, Math.min(MOST_PIECES, flight.count ?? 1));
  for (let i = 0; i < pieces; i++) {
    const piece = document.createElement("i");
    piece.className = `flight ${flight.look}`;
    piece.ariaHidden = "true";
    piece.style.setProperty("--colour", flight.colour);
    document.body.append(piece);
    const [a, b] = [from, to].map((box) => middle(box, piece)) as [string, string];
    const moving = piece.animate(
      [
        { transform: `${a} scale(0.7)`, opacity: 0.2 },
        { opacity: 1, offset: 0.15 },
        { transform: `${b} scale(1)`, opacity: 1 },
      ],
      { duration: TIMES[currentPace()], delay: i * 70, easing: "ease-in-out", fill: "backwards" },
    );
    moving.onfinish = moving.oncancel = () => piece.remove();
  }
}

function middle(box: DOMRect, piece: HTMLElement): string {
  const x = box.left + box.width / 2 - piece.offsetWidth / 2;
  const y = box.top + box.height / 2 - piece.offsetHeight / 2;
  return `translate(${x}px, ${y}px)`;
}
