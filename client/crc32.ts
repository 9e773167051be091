/** CRC-32 (IEEE 802.3) as an unsigned number. */

/** Of ASCII text: the checksum of books. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) crc = step(crc, text.charCodeAt(at));
  return (crc ^ 0xffffffff) >>> 0;
}

export function crc32OfBytes(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = step(crc, byte);
  return (crc ^ 0xffffffff) >>> 0;
}

function step(crc: number, byte: number): number {
  return (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] as number);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let entry = byte;
  for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1;
  return entry;
});
