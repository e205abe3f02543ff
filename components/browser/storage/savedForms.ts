import { SESSION_KEYS } from './storageKeys';
import { readTabValue, writeTab } from './tabStorage';

/** Texts of a form's fields; `version` is that of what was edited. */
type SavedForm = { version: number; texts: Record<string, string[]> };

/** The texts typed in the form `key` of this tab, while what it edits has the same version; else null. */
export function savedForm(key: string, version: number): SavedForm['texts'] | null {
  const saved = allForms()[key];
  return saved && saved.version === version ? saved.texts : null;
}

export function saveForm(key: string, saved: SavedForm): void {
  write({ ...allForms(), [key]: saved });
}

export function clearForm(key: string): void {
  const { [key]: _, ...others } = allForms();
  write(others);
}

/** At sign-out. */
export function clearForms(): void {
  write({});
}

function allForms(): Record<string, SavedForm> {
  const value = readTabValue(SESSION_KEYS.forms);
  return typeof value === 'object' && value !== null ? (value as Record<string, SavedForm>) : {};
}

/** Where storage is refused or full, the page still holds what was typed. */
function write(forms: Record<string, SavedForm>): void {
  writeTab(SESSION_KEYS.forms, Object.keys(forms).length === 0 ? null : JSON.stringify(forms));
}
