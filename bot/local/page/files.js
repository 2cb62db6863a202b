// Files that people choose: how large they may be, and how they travel.
import { toast } from "./dom.js";

const MOST_BYTES = 10 * 1024 * 1024;

export function isTooLarge(file) {
  if (file.size <= MOST_BYTES) return false;
  toast("That file is larger than 10 MiB.");
  return true;
}

export async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}
