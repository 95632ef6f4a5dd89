/** Functions used from the phone number library. Named exports here keep the rest of it out of the bundle. */
export { isSupportedCountry, parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/min'
