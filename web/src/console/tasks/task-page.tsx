/** The tasks as cards; each opens the form of its act, after a choice of what it is about. */
import { createEffect, createMemo, createSignal, For, Show, untrack } from "solid-js";
import { get, sentenceOf } from "../../api/client.ts";
import { FaultText } from "../../entry/number-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { NoRows } from "../../ui/read-state.tsx";
import { ActForm } from "../act-dialog.tsx";
import type { Act, Row } from "../area.ts";
import { callOf } from "../calls.ts";
import { go } from "../place.ts";
import { createReading } from "../reading.ts";
import { watched } from "../session.ts";
import type { Subject, Task } from "./task.ts";
import { TASKS } from "./tasks.ts";

export function TaskPage() {
  const [open, setOpen] = createSignal<Task>();
  const allowed = () => TASKS.filter(({ call }) => call === "" || callOf(call) !== undefined);
  const begin = (task: Task) => (task.area === undefined ? setOpen(task) : go(task.area));
  return (
    <>
      <ul class="task-cards">
        <For each={allowed()}>
          {(task) => (
            <li>
              <button type="button" class="card padded" onClick={() => begin(task)}>
                <b>{task.word}</b>
                <span class="quiet">{task.says}</span>
              </button>
            </li>
          )}
        </For>
      </ul>
      <Show when={open()} keyed>
        {(task) => (
          <Dialog title={task.word} class="act-dialog" onClose={() => setOpen(undefined)}>
            <TaskSteps task={task} onClose={() => setOpen(undefined)} />
          </Dialog>
        )}
      </Show>
    </>
  );
}

/** First what it is about, then which of several acts, then the form. */
function TaskSteps(props: { task: Task; onClose: () => void }) {
  const [subject, setSubject] = createSignal<Row | undefined>(props.task.subject === undefined ? {} : undefined);
  const [chosen, setChosen] = createSignal<Act>();
  const acts = createMemo(() => {
    const about = subject();
    return about === undefined ? [] : (props.task.acts?.(about) ?? []);
  });
  const act = () => chosen() ?? (acts().length === 1 ? acts()[0] : undefined);
  return (
    <Show when={subject()} fallback={<SubjectChoice subject={props.task.subject as Subject} onChoose={setSubject} />}>
      <Show when={act()} fallback={<ActChoice acts={acts()} onChoose={setChosen} />} keyed>
        {(one) => (
          <Show when={callOf(one.call)}>{(call) => <ActForm act={one} call={call()} onClose={props.onClose} />}</Show>
        )}
      </Show>
    </Show>
  );
}

function ActChoice(props: { acts: readonly Act[]; onChoose: (act: Act) => void }) {
  return (
    <div class="form">
      <dl class="fixed" aria-label="Now">
        <For each={props.acts[0]?.facts ?? []}>
          {([word, value]) => (
            <div>
              <dt>{word}</dt>
              <dd>{value}</dd>
            </div>
          )}
        </For>
      </dl>
      <div class="form-row dialog-end">
        <For each={props.acts} fallback={<p class="note">Nothing can be done about it any more.</p>}>
          {(act) => (
            <button
              type="button"
              class="button"
              classList={{ dangerous: act.isDangerous === true }}
              onClick={() => props.onChoose(act)}
            >
              {act.word}
            </button>
          )}
        </For>
      </div>
    </div>
  );
}

/** Looked for by a text, chosen by a press; Enter takes the first that fits. */
function SubjectChoice(props: { subject: Subject; onChoose: (row: Row) => void }) {
  const [text, setText] = createSignal("");
  const [fault, setFault] = createSignal("");
  const reading = createReading<Row>(() => props.subject.source(text().trim()));
  const fitting = createMemo(() => {
    const rows = (reading.data()?.[props.subject.rows] ?? []) as readonly Row[];
    const wanted = text().trim().toLowerCase();
    return rows.filter((row) => props.subject.says(row).toLowerCase().includes(wanted));
  });
  const choose = async (row: Row) => {
    setFault("");
    try {
      const path = props.subject.one?.(row);
      props.onChoose(path === undefined ? row : await watched(get<Row>(path)));
    } catch (error) {
      setFault(sentenceOf(error));
    }
  };
  /** Whether Enter was pressed before the list had come: it then takes the first that fits once the list is there. */
  const [isAwaited, setIsAwaited] = createSignal(false);
  const takeFirst = () => {
    const [first] = fitting();
    setIsAwaited(first === undefined && reading.isReading());
    if (first !== undefined) void choose(first);
  };
  createEffect(() => {
    if (isAwaited() && !reading.isReading()) untrack(takeFirst);
  });
  return (
    <form
      class="form act-form"
      onSubmit={(event) => {
        event.preventDefault();
        takeFirst();
      }}
    >
      <label class="field">
        <span>{props.subject.word}</span>
        <span class="box">
          <input
            type="search"
            autocomplete="off"
            spellcheck={false}
            value={text()}
            onInput={({ currentTarget }) => {
              setIsAwaited(false);
              setText(currentTarget.value);
            }}
          />
        </span>
      </label>
      <ul class="subjects" aria-label={props.subject.word}>
        <For
          each={fitting()}
          fallback={
            <li class="note">
              <NoRows state={reading} empty={props.subject.none} />
            </li>
          }
        >
          {(row) => (
            <li>
              <button type="button" class="quiet-button" onClick={() => void choose(row)}>
                {props.subject.says(row)}
              </button>
            </li>
          )}
        </For>
      </ul>
      <FaultText fault={fault() === "" ? undefined : { text: fault(), rule: undefined }} />
    </form>
  );
}
