import GRDB
import ServiceHost

extension ServiceStoreError {
    /// - Parameter attempt: What could not be done with the file: `opened`, `read` or `written`.
    init(_ error: any Error, _ path: String, _ attempt: String, _ kind: SQLiteServiceStore.Kind) {
        if let error = error as? ServiceStoreError {
            guard error.code == .damaged else {
                self = error
                return
            }
            self.init(damaged: path, error.detail)
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.unusable, "\(path) cannot be \(attempt): \(error)")
            return
        }
        let text = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self.init(
                .foreign,
                "\(path) is not the store of \(kind.service) and is not changed; name another file for --store")
        case .SQLITE_CORRUPT: self.init(damaged: path, text)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .taken,
                "\(path) is in use, most likely by another service that is still running; stop that one, or name another "
                    + "file for --store")
        case .SQLITE_FULL:
            self.init(.full, "\(path) cannot be \(attempt): the disk is full; free some space")
        default:
            self.init(
                .unusable,
                "\(path) cannot be \(attempt): \(text); check the disk, and the permissions of the file and its folder")
        }
    }

    init(damaged path: String, _ what: String) {
        self.init(
            .damaged,
            "\(path) is damaged and is not changed: \(what). Move it away to start with an empty store; sqlite3 with "
                + ".recover may save what is in it")
    }
}
