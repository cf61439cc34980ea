/// The regular syncs and uploads that run: one of each for an object.
struct SyncJobs: Sendable {
    enum Kind: Hashable, Sendable {
        case regularSync, upload
    }

    struct Job: Hashable, Sendable {
        let kind: Kind
        let object: String
        /// Part of the identity: a job of a previous user ends by itself and does not block the current one.
        let session: UserSession
    }

    private var running: Set<Job> = []

    /// - Returns: Nil where the same job is running.
    mutating func begin(_ kind: Kind, _ object: String, _ session: UserSession) -> Job? {
        let job = Job(kind: kind, object: object, session: session)
        return running.insert(job).inserted ? job : nil
    }

    mutating func end(_ job: Job) { running.remove(job) }
}
