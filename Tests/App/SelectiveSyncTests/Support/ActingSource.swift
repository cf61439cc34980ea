import SelectiveSync

/// Runs an action between the creation of a page and its answer.
struct ActingSource: RecordSource {
    private let server: FakeServer
    private let isMeant: @Sendable (QueryRequest) -> Bool
    private let act: @Sendable () async -> Void

    /// - Parameter isMeant: For which pages.
    init(
        _ server: FakeServer, before isMeant: @escaping @Sendable (QueryRequest) -> Bool = { _ in true },
        _ act: @escaping @Sendable () async -> Void
    ) {
        self.server = server
        self.isMeant = isMeant
        self.act = act
    }

    func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
        let page = try await server.query(request)
        if isMeant(request) { await act() }
        return page
    }

    func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
        try await server.deletions(request)
    }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        try await server.fetch(request)
    }
}
