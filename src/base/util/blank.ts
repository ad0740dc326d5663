/** Whether a text has nothing to read: spaces, controls and characters without a shape, as U+200B. */
export const isBlank = (text: string): boolean => !shown.test(text)

const shown = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u
