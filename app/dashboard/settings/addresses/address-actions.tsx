"use client";

import { useState } from "react";
import { toast } from "sonner";
import { labelAddress, pauseAddress, removeAddress, resumeAddress } from "@/app/dashboard/settings/addresses/actions";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import { Form } from "@/components/ui/form/form";
import { useForm } from "@/components/ui/form/form-state";
import { ProveAgain } from "@/components/ui/form/prove-again";
import { RowMenu } from "@/components/ui/row-menu";

interface Address {
  id: string;
  /** Shortened, for people. */
  short: string;
  label: string;
  isPaused: boolean;
  /** Does not fit its seal: it can only be removed. */
  isTampered: boolean;
}

type Task = "label" | "pause" | "resume" | "remove";

const ACTION = { label: labelAddress, pause: pauseAddress, resume: resumeAddress, remove: removeAddress } as const;

/** Label, pause and remove, each with its window. */
export function AddressActions({ address }: { address: Address }) {
  const [task, setTask] = useState<Task | null>(null);
  const actions = [
    { text: address.label ? "Change label" : "Add label", onPick: () => setTask("label") },
    ...(address.isTampered ? [] : [pauseOrResume(address.isPaused, setTask)]),
    { text: "Remove", onPick: () => setTask("remove"), isDangerous: true },
  ];
  const words = task ? inWords(task, address) : null;
  return (
    <>
      <RowMenu what={address.label || address.short} actions={actions} />
      <Dialog
        isOpen={task !== null}
        onOpenChange={(isOpen) => !isOpen && setTask(null)}
        title={words?.title ?? ""}
        hint={words?.hint}
      >
        {task && words ? <TaskForm task={task} address={address} words={words} onDone={() => setTask(null)} /> : null}
      </Dialog>
    </>
  );
}

function pauseOrResume(isPaused: boolean, setTask: (task: Task) => void) {
  return isPaused
    ? { text: "Resume", onPick: () => setTask("resume") }
    : { text: "Pause", onPick: () => setTask("pause") };
}

interface Words {
  title: string;
  hint: string;
  submit: string;
  done: string;
}

function inWords(task: Task, { short }: Address): Words {
  if (task === "label")
    return { title: `Label ${short}`, hint: "Only you see it.", submit: "Save", done: "The label is saved" };
  if (task === "remove")
    return {
      title: `Remove ${short}`,
      hint: "New orders no longer use it. Payments on their way are still seen and credited, and it can be added again.",
      submit: "Remove address",
      done: "The address is removed",
    };
  return task === "resume"
    ? { title: `Resume ${short}`, hint: "New orders use it again.", submit: "Resume", done: "The address is in use" }
    : {
        title: `Pause ${short}`,
        hint: "New orders no longer use it until you resume it. Payments on their way are still seen and credited.",
        submit: "Pause",
        done: "The address is paused",
      };
}

interface TaskFormProps {
  task: Task;
  address: Address;
  words: Words;
  onDone(): void;
}

function TaskForm({ task, address, words, onDone }: TaskFormProps) {
  const form = useForm(ACTION[task], () => {
    toast.success(words.done);
    onDone();
  });
  return (
    <Form form={form}>
      <input type="hidden" name="id" value={address.id} />
      {task === "label" ? (
        <TextField
          label="Label"
          name="label"
          autoComplete="off"
          defaultValue={address.label}
          error={form.errorOf("label")}
        />
      ) : null}
      <ProveAgain />
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look={task === "remove" ? "danger" : "primary"} isBusy={form.isBusy}>
          {words.submit}
        </Button>
      </DialogActions>
    </Form>
  );
}
