export function EntryPanel() {
  return <section class="panel entry-panel" aria-label="Order entry" />;
}
