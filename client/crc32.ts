/** CRC-32 (IEEE 802.3) of ASCII text, as an unsigned number: the checksum of books. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(at)) & 0xff] as number);
  return (crc ^ 0xffffffff) >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let entry = byte;
  for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1;
  return entry;
});
