/// Why a store cannot be used: a sentence that names the file and says what to do.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// The file is not a store: it is not a database, or it belongs to another program.
        case foreign
        /// Written by a newer version of the gateway.
        case newer
        case damaged
        /// Another gateway is using it.
        case taken
        /// The disk is full, or the file has reached its limit.
        case full
        /// The file cannot be opened, read or written for another reason.
        case unusable
    }

    package var code: Code
    package var detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { detail }
}
