/** Progress through a few steps. `at` is the index of the current step; the number of steps means that all are done. */
export function Steps(props: { label: string; steps: readonly string[]; at: number; doneText: string }) {
  return (
    <ol class="steps" aria-label={props.label}>
      {props.steps.map((step, index) => (
        <li
          key={step}
          class={index < props.at ? 'step-done' : index === props.at ? 'step-here' : 'step-to-come'}
          aria-current={index === props.at ? 'step' : undefined}
        >
          {step}
          {index < props.at && <span class="unseen"> ({props.doneText})</span>}
        </li>
      ))}
    </ol>
  )
}
