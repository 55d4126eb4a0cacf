// Whether there is room for one page at a time, as on a phone.
import { MediaQuery } from "svelte/reactivity";

export const phone = new MediaQuery("max-width: 800px"); // as in PlayFrame
