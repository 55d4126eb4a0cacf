// Card packs on their screens: nothing that was typed gets lost. The server is played by `api`.
import { fireEvent, render, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "../src/api/client";
import type { PackSheet, SavedPack } from "../src/api/types";
import { keptLine } from "../src/lib/kept_packs";
import Cards from "../src/screens/Cards.svelte";
import PackPicker from "../src/ui/cards/PackPicker.svelte";

vi.mock("../src/lib/me.svelte", () => ({ ensureGuest: () => Promise.resolve() }));

const pack = (id: string, line: string): SavedPack =>
  ({ id, line, game: "sparks", name: id, mine: true }) as unknown as SavedPack;

/** The server writes a change behind the line. */
const check: typeof api.checkPack = (_game, { text, edits }) =>
  Promise.resolve({
    line: [text || "blank", ...(edits ?? []).map((edit) => edit.text)].join("+"),
    name: "",
    toml: "",
    cards: [],
    card: null,
    findings: [],
    changes: [],
  } as unknown as PackSheet);

const checked = vi.spyOn(api, "checkPack");

beforeEach(() => {
  localStorage.clear();
  checked.mockReset().mockImplementation(check);
  vi.spyOn(api, "packs").mockResolvedValue({ packs: [pack("a", "A"), pack("b", "B")] } as never);
  vi.spyOn(api, "pack").mockImplementation((id) => Promise.resolve(pack(id, id.toUpperCase())));
});

describe("the card editor", () => {
  const opened = async (id: string) => {
    const { container, unmount } = render(Cards, { game: "sparks", pack: id });
    await waitFor(() => expect(container.querySelector("#pack-mine")).toBeTruthy());
    const find = <T extends Element>(what: string): T => container.querySelector<T>(what)!;
    const type = (value: string) => fireEvent.change(find("#pack-name"), { target: { value } });
    return { find, type, unmount };
  };
  const last = () => checked.mock.lastCall?.[1].text;

  it("keeps its buttons enabled while a change is on its way, and saves once", async () => {
    const { find, type } = await opened("a");
    const save = vi.spyOn(api, "replacePack").mockResolvedValue(pack("a", "A+x"));
    await type("x");
    const button = find<HTMLButtonElement>("[data-save]");
    expect(button.disabled).toBe(false);
    await fireEvent.click(button);
    await fireEvent.click(button);
    await waitFor(() => expect(find(".answer [role=status]")).toBeTruthy());
    expect(save.mock.calls.map(([, wish]) => wish.text)).toEqual(["A+x"]);
    expect(keptLine("sparks", "a")).toBe("");
  });

  it("takes up what was not saved of this pack, and of no other", async () => {
    const { type, unmount } = await opened("a");
    await type("x");
    await waitFor(() => expect(keptLine("sparks", "a")).toBe("A+x"));
    unmount();
    await opened("b");
    expect(last()).toBe("B");
    await opened("a");
    expect(last()).toBe("A+x");
  });

  it("asks before another pack takes the place of changes", async () => {
    const { find, type } = await opened("a");
    await type("x");
    const sure = vi.fn().mockReturnValueOnce(false).mockReturnValueOnce(true);
    vi.stubGlobal("confirm", sure);
    const list = find<HTMLSelectElement>("#pack-mine");
    await fireEvent.change(list, { target: { value: "b" } });
    await waitFor(() => expect(sure).toHaveBeenCalledTimes(1));
    await waitFor(() => expect(list.value).toBe("a"));
    expect(keptLine("sparks", "a")).toBe("A+x");
    await fireEvent.change(list, { target: { value: "b" } });
    await waitFor(() => expect(last()).toBe("B"));
    await waitFor(() => expect(keptLine("sparks", "a")).toBe(""));
  });

  it("works in a window without storage", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("denied");
    });
    const { find, type } = await opened("a");
    await type("x");
    expect(find("[role=alert]")).toBeNull();
    vi.mocked(Storage.prototype.setItem).mockRestore();
  });
});

describe("the choice of a pack", () => {
  it("takes a corrected file in place of the one with its name", async () => {
    const choose = vi.fn();
    const props = { game: "sparks", label: "Cards", line: "", choose };
    const { container } = render(PackPicker, props);
    await waitFor(() => expect(container.querySelectorAll("option")).toHaveLength(3));
    const input = container.querySelector<HTMLInputElement>("input[type=file]")!;
    for (const text of ["first", "second"]) {
      const files = [new File([text], "mine.toml")];
      Object.defineProperty(input, "files", { value: files, configurable: true });
      await fireEvent.change(input);
      await waitFor(() => expect(choose).toHaveBeenLastCalledWith(text));
    }
    const lines = [...container.querySelectorAll("option")].map((option) => option.value);
    expect(lines).toEqual(["", "A", "B", "second"]);
  });
});
