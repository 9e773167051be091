/** Finds requests by the X-Request-Id of their answers. */
import type { Finder } from "../../admin/search.ts";

export const findRequests: Finder = ({ requests }, text) => {
  const request = requests?.find(text.toLowerCase());
  if (request === undefined) return [];
  const { id, method, path, code, userId } = request;
  return [{ kind: "request", id, says: `${method} ${path}, code ${code}`, userId }];
};
