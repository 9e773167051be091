/** Reads the body of an answer whole, up to a bound: a server that sends without end must not take all memory. */
export async function boundedBody(response: Response, bytesMax: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    // Leaving the loop ends the connection.
    if (bytes > bytesMax) throw new Error(`Its answer is longer than ${bytesMax} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
