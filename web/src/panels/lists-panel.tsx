export function ListsPanel() {
  return <section class="panel lists-panel" aria-label="Orders and balances" />;
}
