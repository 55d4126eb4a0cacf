// Answering a question step by step: the one controller behind prompt bar, boards, keyboard and text
// view. It holds the steps taken, the node being answered and what has been chosen inside it.
import {
  accepts,
  assignText,
  fits,
  isReadOnly,
  pathsTo,
  sureSteps,
  someText,
  targetsOf,
  total,
  type Node,
  type Option,
  type Orders,
  type Question,
  type Row,
} from "./tree";

export interface Step {
  node: Node;
  text: string; // the text it adds to the action; "" when a row was chosen
  label: string;
  target: string;
  then: Node | null; // the node it leads to
  forced: boolean; // the only option, taken automatically
  confirm: boolean;
  notes: string[];
}

type Piece = Pick<Option, "text" | "label" | "target" | "then" | "confirm" | "notes">;

/** One thing on the board that can be clicked now. */
export interface Choice {
  target: string;
  label: string;
  chosen: boolean;
  count: number; // how many are assigned to it
}

/** An unfinished answer as it is stored on the server. */
export interface Draft {
  steps: { text: string; target: string; label: string }[];
  chosen: string[];
  amounts: Record<string, number>;
  amount: number;
  narrowed: string;
}

export class Walk {
  question = $state.raw<Question | null>(null);
  steps = $state.raw<Step[]>([]);
  chosen = $state.raw<ReadonlySet<string>>(new Set()); // inside `Some`
  amounts = $state.raw<Readonly<Record<string, number>>>({}); // inside `Assign`
  amount = $state(0); // inside `Amount`
  narrowed = $state(""); // only options on this board element are offered

  /** The node to be answered now; null when the answer is complete (or nothing is asked). */
  node = $derived.by((): Node | null => {
    const last = this.steps.at(-1);
    return last ? last.then : (this.question?.node ?? null);
  });

  complete = $derived(this.question !== null && this.steps.length > 0 && this.node === null);

  /** The action as written so far. */
  text = $derived(
    this.steps
      .map((s) => s.text)
      .filter(Boolean)
      .join(" "),
  );

  /** The piece whose order is being entered. */
  row = $derived.by((): Row | null => {
    const root = this.question?.node;
    const first = this.steps[0];
    if (root?.kind !== "orders" || !first || first.text) return null;
    return root.rows.find((row) => row.target === first.target) ?? null;
  });

  /** Whether the answer can be changed later, so that it needs no confirmation. */
  revisable = $derived(this.row !== null);

  /** Whether the answer ends something, so that it is never sent without asking back. */
  mustConfirm = $derived(this.steps.some((step) => step.confirm));

  /** What the player would want to know before confirming. */
  notes = $derived(this.steps.flatMap((step) => step.notes));

  options = $derived.by((): Option[] => {
    const node = this.node;
    if (node?.kind !== "one" && node?.kind !== "orders") return [];
    return this.narrowed
      ? node.options.filter((o) => pathsTo([o], this.narrowed).length > 0)
      : node.options;
  });

  /** Whether submitting this node completes the answer. */
  last = $derived.by((): boolean => {
    const node = this.node;
    return (
      (node?.kind === "some" || node?.kind === "assign" || node?.kind === "amount") && !node.then
    );
  });

  /** Whether there is a step that can be taken back. */
  canGoBack = $derived(this.narrowed !== "" || this.steps.some((step) => !step.forced));

  /** Whether the form of the current node is filled in and can be submitted. */
  canSubmit = $derived.by((): boolean => {
    const node = this.node;
    if (node?.kind === "some") return fits(node, this.chosen.size);
    if (node?.kind === "assign") return fits(node, total(this.amounts));
    if (node?.kind === "amount") return fits(node, this.amount) && !this.unchanged;
    return false;
  });

  /** Whether the number is the one that was already given: there is nothing to confirm. */
  unchanged = $derived(this.node?.kind === "amount" && this.amount === this.node.chosen);

  choices = $derived.by((): Choice[] => {
    const node = this.node;
    if (!node) return [];
    if (node.kind === "some")
      return node.options
        .filter((o) => o.target)
        .map((o) => makeChoice(o.target ?? "", o.label, this.chosen.has(o.text)));
    if (node.kind === "assign")
      return node.shares
        .filter((s) => s.target)
        .map((s) =>
          makeChoice(
            s.target ?? "",
            s.label,
            (this.amounts[s.text] ?? 0) > 0,
            this.amounts[s.text] ?? 0,
          ),
        );
    if (node.kind === "amount") return [];
    const rows = node.kind === "orders" ? node.rows : this.otherRows;
    return [
      ...rows
        .filter((row) => !isReadOnly(row))
        .map((row) => makeChoice(row.target, row.label, row.chosen !== "")),
      ...[...targetsOf(this.options)].map((target) =>
        makeChoice(target, labelFor(this.options, target), false),
      ),
    ];
  });

  private otherRows = $derived.by((): Row[] => {
    const root = this.question?.node;
    if (root?.kind !== "orders" || !this.row || this.steps.length > 1) return [];
    return root.rows.filter((row) => row !== this.row);
  });

  /** Starts a question, new or repeated, and restores what still fits of the draft. */
  ask(question: Question | null, draft: Draft | null = null): void {
    this.question = question;
    this.restart();
    this.skipForcedStart();
    if (draft) this.resume(draft);
  }

  /** Chooses an option of the current node, then continues towards the target that was clicked. */
  choose(option: Option): void {
    const aim = option.target === this.narrowed ? "" : this.narrowed;
    this.push(option);
    if (aim && this.node?.kind === "one") this.pickOption(this.node.options, aim);
  }

  /** Starts entering the order of one piece. */
  open(row: Row): void {
    if (isReadOnly(row)) return;
    this.steps = [];
    this.push({ text: "", label: row.label, target: row.target, then: row.node });
  }

  toggle(option: Option): void {
    const node = this.node;
    if (node?.kind !== "some") return;
    const chosen = new Set(this.chosen);
    if (!chosen.delete(option.text) && (chosen.size < node.most || node.most === 1)) {
      if (node.most === 1) chosen.clear();
      chosen.add(option.text);
    }
    this.chosen = chosen;
  }

  setShare(text: string, count: number): void {
    const node = this.node;
    const share = node?.kind === "assign" && node.shares.find((s) => s.text === text);
    if (!share || node?.kind !== "assign") return;
    const others = total(this.amounts) - (this.amounts[text] ?? 0);
    const n = Math.max(0, Math.min(count, share.most, node.most - others));
    this.amounts = { ...this.amounts, [text]: n };
  }

  /** Submits the form of a node that takes more than one click. */
  submitNode(): void {
    const node = this.node;
    if (!this.canSubmit || !node) return;
    if (node.kind === "some") {
      const labels = node.options.filter((o) => this.chosen.has(o.text)).map((o) => o.label);
      this.pushText(someText(node, this.chosen), labels.join(", "), node.then);
    } else if (node.kind === "assign") {
      const labels = node.shares
        .filter((s) => this.amounts[s.text])
        .map((s) => `${s.label} ${this.amounts[s.text]}`);
      this.pushText(assignText(node, this.amounts), labels.join(", "), node.then);
    } else if (node.kind === "amount") {
      this.pushText(String(this.amount), String(this.amount), node.then);
    }
  }

  /** Handles a click on the board; returns whether the target could be chosen. */
  pick(target: string): boolean {
    const node = this.complete ? this.lastNode() : this.node;
    if (!node || !this.offersTarget(node, target)) return false;
    if (this.complete && !this.steps.at(-1)?.forced) this.back();
    if (node.kind === "some") {
      const option = node.options.find((o) => o.target === target);
      if (option) this.toggle(option);
      return !!option;
    }
    if (node.kind === "assign") {
      const share = node.shares.find((s) => s.target === target);
      if (share) this.incrementShare(share.text, share.most);
      return !!share;
    }
    if (node.kind === "amount") return false;
    return this.pickOption(node.options, target) || this.pickRow(target);
  }

  /** Goes back one step, skipping forced ones. */
  back(): void {
    if (this.narrowed) {
      this.narrowed = "";
      return;
    }
    const steps = [...this.steps];
    while (steps.pop()?.forced);
    this.steps = steps;
    this.resetEntry();
    if (!steps.length) this.skipForcedStart();
  }

  restart(): void {
    this.steps = [];
    this.resetEntry();
  }

  /** Skips a first node whose only option leads to another node. */
  private skipForcedStart(): void {
    const node = this.node;
    const [only, second] = node?.kind === "one" ? node.options : [];
    if (only?.then && !second) this.push(only, true);
  }

  /** The unfinished answer, for storage. */
  draft(): Draft {
    return {
      steps: this.steps
        .filter((step) => !step.forced) // those are taken automatically
        .map(({ text, target, label }) => ({ text, target, label })),
      chosen: [...this.chosen],
      amounts: { ...this.amounts },
      amount: this.amount,
      narrowed: this.narrowed,
    };
  }

  /** Restores a stored answer as far as the question still allows it. */
  resume(stored: unknown): void {
    const draft = stored as Partial<Draft> | null;
    if (!draft || !Array.isArray(draft.steps)) return;
    for (const step of draft.steps) if (!this.restoreStep(step)) return;
    this.restoreEntry(draft);
  }

  private restoreEntry(draft: Partial<Draft>): void {
    const node = this.node;
    if (node?.kind === "some") {
      const texts = new Set(node.options.map((o) => o.text));
      this.chosen = new Set((draft.chosen ?? []).filter((text) => texts.has(text)));
    }
    if (node?.kind === "assign")
      for (const [text, n] of Object.entries(draft.amounts ?? {})) this.setShare(text, n);
    if (node?.kind === "amount" && typeof draft.amount === "number")
      this.amount = Math.max(node.least, Math.min(node.most, draft.amount));
    if (draft.narrowed && pathsTo(this.options, draft.narrowed).length > 1)
      this.narrowed = draft.narrowed;
  }

  private restoreStep({ text, target, label }: Draft["steps"][number]): boolean {
    const node = this.node;
    if (!node) return false;
    if (node.kind === "orders" && !text) {
      const row = rowOf(node, target);
      if (row) this.open(row);
      return row !== undefined;
    }
    if (node.kind === "one" || node.kind === "orders") {
      const option = node.options.find((o) => o.text === text && (o.target ?? "") === target);
      if (option) this.choose(option);
      return option !== undefined;
    }
    if (!accepts(node, text)) return false;
    this.pushText(text, label, node.then);
    return true;
  }

  /** Whether a click on the target chooses something in the node. */
  private offersTarget(node: Node, target: string): boolean {
    if (node.kind === "some") return node.options.some((o) => o.target === target);
    if (node.kind === "assign") return node.shares.some((s) => s.target === target);
    if (node.kind === "amount") return false;
    const root = this.question?.node;
    const rows = root?.kind === "orders" ? root.rows : [];
    return (
      pathsTo(node.options, target).length > 0 ||
      rows.some((row) => row.target === target && !isReadOnly(row))
    );
  }

  private lastNode(): Node | null {
    return this.steps.at(-1)?.node ?? null;
  }

  private incrementShare(text: string, most: number): void {
    const n = this.amounts[text] ?? 0;
    this.setShare(text, n + 1);
    if ((this.amounts[text] ?? 0) === n) this.setShare(text, n >= most ? 0 : n);
  }

  private pickOption(options: Option[], target: string): boolean {
    const paths = pathsTo(options, target);
    if (paths.length === 0) return false;
    this.narrowed = paths.length === 1 ? "" : target; // another target may have been clicked before
    for (const option of sureSteps(paths, target))
      if (this.offersOption(option)) this.choose(option);
    return true;
  }

  /** Whether the current node has this option; a forced one has been taken already. */
  private offersOption(option: Option): boolean {
    const node = this.node;
    return (node?.kind === "one" || node?.kind === "orders") && node.options.includes(option);
  }

  private pickRow(target: string): boolean {
    const root = this.question?.node;
    const row = root?.kind === "orders" && root.rows.find((r) => r.target === target);
    if (!row || isReadOnly(row)) return false;
    this.open(row);
    return true;
  }

  private pushText(text: string, label: string, then: Node | null | undefined): void {
    this.push({ text, label, then });
  }

  private push(piece: Piece, forced = false): void {
    if (!this.node) return;
    const { text, label, target = "", then = null, confirm = false, notes = [] } = piece;
    const step = { text, label, target, then, confirm, notes, node: this.node, forced };
    this.steps = [...this.steps, step];
    this.resetEntry();
    this.takeForcedStep();
  }

  /** Takes the only option of a node automatically. */
  private takeForcedStep(): void {
    const node = this.node;
    const [only, second] = node?.kind === "one" ? node.options : [];
    if (only && !second) this.push(only, true);
  }

  private resetEntry(): void {
    this.chosen = new Set();
    this.amounts = {};
    this.narrowed = "";
    this.amount = this.node?.kind === "amount" ? (this.node.chosen ?? this.node.least) : 0;
  }
}

const rowOf = (node: Orders, target: string): Row | undefined =>
  node.rows.find((row) => row.target === target);

const makeChoice = (target: string, label: string, chosen: boolean, count = 0): Choice => ({
  target,
  label,
  chosen,
  count,
});

const labelFor = (options: Option[], target: string): string =>
  pathsTo(options, target)[0]?.at(-1)?.label ?? "";
