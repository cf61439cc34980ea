/// Where a service keeps its state: rows by kind, data space and key, and logs of numbered entries. What they contain is
/// decided by `ServiceDocuments`.
package protocol ServiceStore: Sendable {
    /// Passes on everything that is stored: rows sorted by kind, then the entries of each log in order.
    func load(_ take: (StoredItem) throws -> Void) throws

    /// Writes changes as a whole or not at all. Once it has returned, they survive the end of the process.
    func write(_ changes: StoredChanges) throws

    /// Throws if the store cannot be written at the moment.
    func probe() throws
}

package struct StoredRow: Hashable, Sendable {
    package let kind: String
    /// The data space; empty for what belongs to none.
    package let space: String
    package let key: [UInt8]
    /// Nil for a row to delete.
    package let document: [UInt8]?

    package init(kind: String, space: String, key: [UInt8], document: [UInt8]?) {
        self.kind = kind
        self.space = space
        self.key = key
        self.document = document
    }
}

package struct StoredEntry: Hashable, Sendable {
    package let log: String
    package let number: Int
    package let document: [UInt8]

    package init(log: String, number: Int, document: [UInt8]) {
        self.log = log
        self.number = number
        self.document = document
    }
}

package enum StoredItem: Hashable, Sendable {
    case row(StoredRow)
    case entry(StoredEntry)
}

package struct StoredChanges: Hashable, Sendable {
    /// Whether everything that is stored is deleted first.
    package var replacesAll = false
    package var rows: [StoredRow] = []
    package var entries: [StoredEntry] = []
    /// The first number of each log; entries before it are deleted.
    package var firstNumbers: [String: Int] = [:]

    package init() {}
}

/// Why a store cannot be used: a sentence that names the file and says what to do.
package struct ServiceStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// The file is not a store of this service.
        case foreign
        /// Written by a newer version.
        case newer
        case damaged
        /// Another process is using it.
        case taken
        /// The disk is full, or the file has reached its limit.
        case full
        /// The file cannot be opened, read or written for another reason.
        case unusable
    }

    package let code: Code
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package static func damaged(_ what: String) -> ServiceStoreError { ServiceStoreError(.damaged, what) }

    package var description: String { detail }
}
