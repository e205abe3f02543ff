/** Tells password managers whose password a form is about; for forms that do not ask for the name. */
export function PasswordOwner({ name }: { name: string }) {
  return (
    <input
      className="sr-only"
      type="text"
      autoComplete="username"
      value={name}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}
