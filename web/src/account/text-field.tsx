/** A field for a text, with its name above it. */
interface TextFieldProps {
  readonly name: string;
  readonly value: string;
  readonly set: (text: string) => void;
  readonly type?: "email" | "password" | "text" | undefined;
  readonly autocomplete?: "username" | "current-password" | "new-password" | "one-time-code" | "off" | undefined;
  readonly placeholder?: string | undefined;
  readonly isOptional?: boolean | undefined;
}

export function TextField(props: TextFieldProps) {
  return (
    <label class="field">
      <span class="label">{props.name}</span>
      <span class="box">
        <input
          type={props.type ?? "text"}
          autocomplete={props.autocomplete ?? "off"}
          required={props.isOptional !== true}
          placeholder={props.placeholder}
          value={props.value}
          onInput={({ currentTarget }) => props.set(currentTarget.value)}
        />
      </span>
    </label>
  );
}
