/** Opens a connection; where there is no WebSocket, the package ws brings one. */
export async function openSocket(url: string): Promise<WebSocket> {
  const { WebSocket: Own } = globalThis as { WebSocket?: typeof WebSocket };
  const Kind = Own ?? ((await import("ws")).WebSocket as unknown as typeof WebSocket);
  const socket = new Kind(url);
  socket.binaryType = "arraybuffer";
  return socket;
}
