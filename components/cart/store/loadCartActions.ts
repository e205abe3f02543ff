type Actions = typeof import('./cartActions');
let actions: Promise<Actions> | null = null;

/** Loads the code that changes the cart, when it is about to be used. */
export function loadActions(): Promise<Actions> {
  actions ??= import('./cartActions');
  actions.catch(() => {
    actions = null;
  });
  return actions;
}

/** Preloads on hover and focus. A failure is handled on click. */
export function prepareActions(): void {
  loadActions().catch(() => undefined);
}
