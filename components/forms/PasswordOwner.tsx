/** The user name for password managers, in forms that do not have a field for it. */
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
