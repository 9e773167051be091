/** The form of an act: what will happen, to whom, what has to be given, who must consent, and what the venue said. */
import { createMemo, createSignal, For, Show, untrack } from "solid-js";
import { createAct } from "../account/act.ts";
import { post, remove } from "../api/client.ts";
import { FaultText } from "../entry/number-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Copyable } from "../ui/figure.tsx";
import { say } from "../ui/toasts.tsx";
import { openAct, setOpenAct } from "./acts.ts";
import type { Act, Fact, Row } from "./area.ts";
import { addressed, type Call, type CallField, callOf } from "./calls.ts";
import { askedFields, bodyOf, type Draft, firstDrafts } from "./draft.ts";
import { enrolLink } from "./enrol-link.ts";
import { FieldInput } from "./field-input.tsx";
import { type FieldFaults, faultsAfter, faultsBefore, isEmpty } from "./form-faults.ts";
import { readAllAgain } from "./reading.ts";
import { Value } from "./record.tsx";
import { watched } from "./session.ts";
import { Consent } from "./tasks/consent.tsx";
import { wordsOf } from "./words.ts";

/** Fields of an answer that are shown once and never again. */
const SECRETS = ["token", "secret_key", "enrolment"];
/** Of the fields that may be left out so many are shown at once. */
const OPTIONAL_SHOWN = 5;

export function ActDialog() {
  const open = createMemo(() => {
    const act = openAct();
    const call = act && callOf(act.call);
    return act && call && { act, call };
  });
  return (
    <Show when={open()} keyed>
      {({ act, call }) => (
        <Dialog title={act.word} class="act-dialog" onClose={() => setOpenAct(undefined)}>
          <ActForm act={act} call={call} onClose={() => setOpenAct(undefined)} />
        </Dialog>
      )}
    </Show>
  );
}

interface ActFormProps {
  readonly act: Act;
  readonly call: Call;
  readonly onClose: () => void;
}

export function ActForm(props: ActFormProps) {
  // A dialog is about one act from beginning to end.
  const { act, call } = untrack(() => ({ ...props }));
  const close = () => props.onClose();
  const fields = askedFields(call, act);
  const [drafts, setDrafts] = createSignal(firstDrafts(fields, act.initial));
  const [shown, setShown] = createSignal<Row>();
  const [faults, setFaults] = createSignal<FieldFaults>({});
  const [whole, setWhole] = createSignal("");
  const doing = createAct();
  let form!: HTMLFormElement;
  const set = (name: string, draft: Draft) => {
    setDrafts((before) => ({ ...before, [name]: draft }));
    setFaults(({ [name]: _, ...others }) => others);
    setWhole("");
  };
  /** Shows sentences at their fields, and goes to the first of them. */
  const refuse = (found: FieldFaults): void => {
    setFaults(found);
    const [first] = fields.filter(({ name }) => name in found);
    if (first === undefined) return;
    const at = form.querySelector<HTMLElement>(`[data-field="${first.name}"]`);
    // A browser neither scrolls to what is folded away nor focuses it.
    at?.closest("details")?.setAttribute("open", "");
    (at?.matches("input, select, button") ? at : at?.querySelector<HTMLElement>("input, select, button"))?.focus();
  };
  const send = async () => {
    const before = faultsBefore(fields, drafts(), halfGiven(form));
    if (Object.keys(before).length > 0) return refuse(before);
    if (act.isChange === true && fields.every(({ name }) => isEmpty(drafts()[name]))) {
      setWhole("Give at least one of the fields: nothing would change.");
      return;
    }
    let answer: Row = {};
    const { method, path, body } = addressed(call, { ...act.fixed, ...bodyOf(fields, drafts()) });
    let after: FieldFaults = {};
    const isDone = await doing.run(async () => {
      try {
        answer = await watched(method === "DELETE" ? remove<Row>(path) : post<Row>(path, body));
      } catch (error) {
        after = faultsAfter(fields, error);
        throw error;
      }
    });
    if (!isDone) return refuse(after);
    readAllAgain();
    if (SECRETS.some((name) => name in answer))
      setShown(withLink(answer, { ...act.fixed, ...bodyOf(fields, drafts()) }));
    else {
      close();
      if (answer["status"] === "pending" && "approval_id" in answer)
        say(`It waits for the consent of another operator, as approval ${answer["approval_id"]}.`);
      else if (answer["repeated"] === true) say("That was done before; nothing was done again.");
      else say(act.answers?.(answer) ?? `Done: ${act.word}.`, "good");
    }
  };
  const given = createMemo(() => bodyOf(fields, drafts()));
  const needed = fields.filter(({ required }) => required);
  const further = fields.filter(({ required }) => !required);
  /** The subject, and how it is now: in words of its own, or as the call has it. */
  const facts = (): readonly Fact[] =>
    act.facts ??
    Object.entries(act.fixed ?? {}).map(([name, value]): Fact => [wordsOf(name), <Value name={name} value={value} />]);
  const isFolded = act.ask === undefined && further.length > OPTIONAL_SHOWN;
  const input = (field: CallField) => (
    <FieldInput
      field={field}
      draft={drafts()[field.name] ?? ""}
      set={(draft) => set(field.name, draft)}
      fault={faults()[field.name]}
      now={act.now?.[field.name]}
    />
  );
  return (
    <Show when={shown() === undefined} fallback={<Secrets answer={shown() as Row} onClose={close} />}>
      <form
        ref={form}
        class="form act-form"
        // What is wrong is said beside the fields, in the venue's words, and stays there.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p>{act.says ?? call.verbs[0]?.says}</p>
        <Show when={facts().length > 0}>
          <dl class="fixed" aria-label="Now">
            <For each={facts()}>
              {([word, value]) => (
                <div>
                  <dt>{word}</dt>
                  <dd>{value}</dd>
                </div>
              )}
            </For>
          </dl>
        </Show>
        <For each={needed}>{input}</For>
        <Show when={isFolded} fallback={<For each={further}>{input}</For>}>
          <details open={needed.length === 0}>
            <summary>Further fields</summary>
            <div class="form">
              <For each={further}>{input}</For>
            </div>
          </details>
        </Show>
        <Effects of={act.effects?.(given()) ?? []} />
        <Consent act={act} call={call} given={given()} />
        <FaultText
          fault={
            whole() === ""
              ? Object.keys(faults()).length === 0
                ? doing.fault()
                : undefined
              : { text: whole(), rule: undefined }
          }
        />
        <div class="form-row dialog-end">
          <button type="button" class="button" onClick={close}>
            Back
          </button>
          <button
            type="submit"
            class="button primary"
            classList={{ dangerous: act.isDangerous === true }}
            disabled={doing.isBusy()}
          >
            {act.word}
          </button>
        </div>
      </form>
    </Show>
  );
}

/** Fields of which a part was given: the browser has no value for them. */
function halfGiven(form: HTMLFormElement): ReadonlySet<string> {
  const inputs = [...form.querySelectorAll("input")].filter(({ validity }) => validity.badInput);
  return new Set(inputs.map((input) => input.closest<HTMLElement>("[data-field]")?.dataset["field"] ?? ""));
}

/** The sentences about what will have happened once it is sent. */
function Effects(props: { of: readonly string[] }) {
  return (
    <Show when={props.of.length > 0}>
      <div class="effects">
        <h3>What will happen</h3>
        <ul aria-live="polite">
          <For each={props.of}>{(sentence) => <li>{sentence}</li>}</For>
        </ul>
      </div>
    </Show>
  );
}

/** A code with the link that has it in: for an operator who opens it himself. */
function withLink(answer: Row, asked: Row): Row {
  const code = answer["enrolment"];
  if (typeof code !== "string") return answer;
  const name = answer["name"] ?? asked["name"] ?? "";
  return { ...answer, enrolment_link: enrolLink({ name: String(name), code }) };
}

function Secrets(props: { answer: Row; onClose: () => void }) {
  return (
    <div class="form">
      <p>It is shown this once: the venue cannot show it again.</p>
      <dl class="secrets">
        <For each={Object.entries(props.answer)}>
          {([name, value]) => (
            <>
              <dt>{wordsOf(name)}</dt>
              <dd>
                <Copyable value={String(value)} label={wordsOf(name)} />
              </dd>
            </>
          )}
        </For>
      </dl>
      <div class="form-row dialog-end">
        <button type="button" class="button primary" onClick={() => props.onClose()}>
          I have kept it
        </button>
      </div>
    </div>
  );
}
