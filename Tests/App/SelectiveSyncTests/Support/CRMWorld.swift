import Foundation
import PushDispatch
import SelectiveSync

/// A `CRMSync` with a server in memory, tokens in memory, and a store that a test can lock.
struct CRMWorld {
    static let user = "005xx000001X8UzAAK"
    static let other = "005xx000001X8V0AAK"

    let server = CRMServer()
    let tokens: MemoryTokenStorage
    let store = HookedStore()
    let lock = Shared(false)
    let opened = Shared(0)
    let events = Shared<[CRMEvent]>([])
    let preferences = MemoryRegistrationStorage()
    let crm: CRMSync

    /// - Parameter user: Who is logged in when the process starts.
    init(
        user: String? = CRMWorld.user, clock: any DispatchClock = StillClock(),
        change: (inout CRMSync.Configuration) -> Void = { _ in }
    ) throws {
        tokens = MemoryTokenStorage(user.map(CRMWorld.tokens))
        var configuration = CRMSync.Configuration(
            app: OAuthApp(tokenAddress: URL(string: "https://login.example.com/token")!, clientID: "app"),
            tokens: tokens,
            store: StoreOpener { [lock, opened, store] in
                opened.change { $0 += 1 }
                guard !lock.value else { throw TestError() }
                return StoreOpener.Opened(store)
            },
            objects: [SyncObject("Account", fields: ["Name"])])
        configuration.server = server
        configuration.registrar = server
        configuration.registration = CRMSync.Registration(bundleID: "com.example.agent", storage: preferences)
        configuration.clock = clock
        configuration.now = { Date(timeIntervalSince1970: 1_700_000_000) }
        configuration.onEvent = { [events] event in events.change { $0.append(event) } }
        change(&configuration)
        crm = try CRMSync(configuration)
    }

    static func tokens(of user: String) -> OAuthTokens {
        OAuthTokens(
            instance: URL(string: "https://example.my.example.com")!, accessToken: "access of \(user)",
            refreshToken: "refresh of \(user)", user: user)
    }

    /// A push for one record.
    static func push(_ number: Int) -> Push {
        Push(
            json: Data(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"\#(RecordID.test(number))"}"#.utf8
            ))
    }

    func names() async -> [String] {
        await store.store.records(of: "Account").map { $0.fields["Name"]?.string ?? "" }
    }
}
