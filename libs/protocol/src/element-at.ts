/** The element at `index`. @throws RangeError if the list is shorter */
export function elementAt<Element>(list: ArrayLike<Element>, index: number): Element {
  if (index < 0 || index >= list.length) throw new RangeError(`no element ${index} in a list of ${list.length}`)
  return list[index] as Element
}
