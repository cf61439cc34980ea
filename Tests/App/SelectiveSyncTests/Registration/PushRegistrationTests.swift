import PushDispatch
import SelectiveSync
import Testing

/// The table of docs/reference/selective-sync.md 4.4, row by row.
struct PushRegistrationTests {
    /// A registrar that records its requests and fails on request.
    private actor Registrar: DeviceRegistrar {
        private(set) var calls: [String] = []
        private var fault: FetchError?
        private var typesFault: FetchError?
        private var isHolding = false
        private var held: CheckedContinuation<Void, Never>?
        private var watcher: CheckedContinuation<Void, Never>?

        func fail(_ fault: FetchError?) { self.fault = fault }
        func failTypes(_ fault: FetchError) { typesFault = fault }
        func hold() { isHolding = true }

        func isHeld() async {
            if held == nil { await withCheckedContinuation { watcher = $0 } }
        }

        func letGo() {
            isHolding = false
            held?.resume()
            held = nil
        }

        func note(_ call: String) { calls.append(call) }

        func register(_ device: DeviceRegistration, timeoutMilliseconds: Int64) async throws(FetchError) -> RecordID {
            calls.append("register \(device.deviceToken) \(device.bundleID)")
            if isHolding {
                await withCheckedContinuation { continuation in
                    held = continuation
                    watcher?.resume()
                    watcher = nil
                }
            }
            if let fault { throw fault }
            return .test(calls.count)
        }

        func unregister(_ id: RecordID, timeoutMilliseconds: Int64) async throws(FetchError) {
            calls.append("unregister \(id)")
            if let fault { throw fault }
        }

        func notificationTypes(timeoutMilliseconds: Int64) async throws(FetchError) -> [NotificationType] {
            calls.append("types")
            if let typesFault { throw typesFault }
            return [NotificationType(type: "custom", apiName: "Visit", label: "Visit")]
        }
    }

    private actor BrokenStorage: RegistrationStorage {
        func registration(of user: String) throws -> RecordID? { throw TestError() }
        func save(_ id: RecordID?, of user: String) throws { throw TestError() }
    }

    private static let token: [UInt8] = [0xab, 0x12, 0xFF]
    private static let fault = FetchError(.network, advice: .retryLater, "x")
    private static let registered = "register ab12ff com.example.agent"

    private let registrar = Registrar()
    private let storage = MemoryRegistrationStorage()
    private let events = Shared<[RegistrationEvent]>([])

    private func registration(
        _ storage: (any RegistrationStorage)? = nil, registersOnForeground: Bool = true, isSimulator: Bool = false
    ) -> PushRegistration {
        PushRegistration(
            bundleID: "com.example.agent", registrar: registrar, storage: storage ?? self.storage,
            registersOnForeground: registersOnForeground, isSimulator: isSimulator
        ) { _ in
        } onEvent: { [events] event in
            events.change { $0.append(event) }
        }
    }

    @Test func `without a user or a device token a registration fails without a request`() async {
        let registration = registration()
        #expect(await registration.register() == .failed(.noUser))
        #expect(await registration.loggedIn("ada") == nil)
        #expect(await registration.register() == .failed(.noDeviceToken))
        #expect(await registrar.calls.isEmpty)
        #expect(events.value == [.ended(.failed(.noUser)), .ended(.failed(.noDeviceToken))])
    }

    @Test func `a simulator succeeds without a request`() async {
        let registration = registration(isSimulator: true)
        #expect(await registration.register() == .failed(.noUser))
        await registration.loggedIn("ada")
        let result = await registration.register()
        #expect(result == .nothingToDo(.simulator) && result.isSuccess)
        #expect(await registrar.calls.isEmpty)
    }

    @Test func `log-in and device token register in any order, in lower case`() async {
        let first = registration()
        #expect(await first.loggedIn("ada") == nil)
        #expect(await first.received(deviceToken: Self.token) == .registered(.test(1)))
        let second = registration()
        #expect(await second.received(deviceToken: Self.token) == nil)
        #expect(await second.loggedIn("ada") == .registered(.test(3)))
        #expect(await registrar.calls == [Self.registered, "types", Self.registered, "types"])
    }

    @Test func `a registration stores its id and fetches the types of notices`() async {
        let registration = registration()
        await registration.loggedIn("ada")
        await registration.received(deviceToken: Self.token)
        #expect(await storage.registration(of: "ada") == .test(1))
        #expect(
            events.value == [
                .notificationTypes([NotificationType(type: "custom", apiName: "Visit", label: "Visit")]),
                .ended(.registered(.test(1))),
            ])
    }

    @Test func `types that cannot be fetched are reported, and the registration is valid`() async {
        await registrar.failTypes(Self.fault)
        let registration = registration()
        await registration.loggedIn("ada")
        #expect(await registration.received(deviceToken: Self.token) == .registered(.test(1)))
        #expect(events.value == [.notificationTypesFailed(Self.fault), .ended(.registered(.test(1)))])
    }

    @Test func `a refused registration is a failure, and nothing is stored`() async {
        await registrar.fail(Self.fault)
        let registration = registration()
        await registration.loggedIn("ada")
        let result = await registration.received(deviceToken: Self.token)
        #expect(result == .failed(.server(Self.fault)) && result?.isSuccess == false)
        #expect(await storage.registration(of: "ada") == nil)
        #expect(await registrar.calls == [Self.registered])
    }

    @Test func `removing a registration that does not exist needs no request`() async {
        let registration = registration()
        #expect(await registration.unregister() == .failed(.noUser))
        await registration.loggedIn("ada")
        let result = await registration.unregister()
        #expect(result == .nothingToDo(.notRegistered) && result.isSuccess)
        #expect(await registrar.calls.isEmpty)
    }

    @Test func `removing a registration succeeds even if the request fails`() async {
        let registration = registration()
        await registration.loggedIn("ada")
        await registration.received(deviceToken: Self.token)
        await registrar.fail(Self.fault)
        let result = await registration.unregister()
        #expect(result == .unregisteredWithoutAnswer(Self.fault) && result.isSuccess)
        await registrar.fail(nil)
        #expect(await registration.unregister() == .unregistered)
        #expect(await storage.registration(of: "ada") == nil)
        #expect(await registration.unregister() == .nothingToDo(.notRegistered))
    }

    @Test func `every call returns if the storage fails, and ids that are not stored are known`() async {
        let registration = registration(BrokenStorage())
        await registration.loggedIn("ada")
        #expect(await registration.unregister() == .failed(.storage(errorType: "TestError")))
        #expect(await registration.received(deviceToken: Self.token) == .registered(.test(1)))
        #expect(events.value.contains(.notSaved(errorType: "TestError")))
        #expect(await registration.unregister() == .unregistered)
        #expect(await registrar.calls.last == "unregister \(RecordID.test(1))")
    }

    @Test func `coming to the foreground registers again, if the app wants that`() async {
        let again = registration()
        #expect(await again.cameToForeground() == nil)
        await again.loggedIn("ada")
        #expect(await again.cameToForeground() == nil)
        await again.received(deviceToken: Self.token)
        #expect(await again.cameToForeground() == .registered(.test(3)))
        let once = registration(registersOnForeground: false)
        await once.loggedIn("ada")
        await once.received(deviceToken: Self.token)
        #expect(await once.cameToForeground() == nil)
    }

    @Test func `a log-out removes the registration before the session ends`() async throws {
        let registration = registration()
        await registration.loggedIn("ada")
        await registration.received(deviceToken: Self.token)
        let result = await registration.logOut { [registrar] in
            #expect(await registration.cameToForeground() == nil)
            await registrar.note("session ends")
        }
        #expect(result == .unregistered)
        #expect(
            await registrar.calls == [Self.registered, "types", "unregister \(RecordID.test(1))", "session ends"])
        #expect(await registration.register() == .failed(.noUser))
        #expect(await registration.received(deviceToken: Self.token) == nil)
    }

    @Test func `the session ends even if the CRM refuses, and the error is reported`() async {
        let registration = registration()
        await registration.loggedIn("ada")
        await registration.received(deviceToken: Self.token)
        await registrar.fail(Self.fault)
        await #expect(throws: TestError.self) { try await registration.logOut { throw TestError() } }
        #expect(await registration.register() == .failed(.noUser))
    }

    @Test func `a log-out waits for a running registration and removes it`() async {
        await registrar.hold()
        let registration = registration()
        await registration.loggedIn("ada")
        async let registering = registration.received(deviceToken: Self.token)
        await registrar.isHeld()
        let leaving = Task { await registration.logOut {} }
        // The outcome is the same whether the log-out has started by then or not.
        for _ in 0..<100 { await Task.yield() }
        await registrar.letGo()
        #expect(await registering == .registered(.test(1)))
        #expect(await leaving.value == .unregistered)
        #expect(await registrar.calls == [Self.registered, "types", "unregister \(RecordID.test(1))"])
        #expect(await registration.loggedIn("bob") == .registered(.test(4)))
        #expect(await storage.registration(of: "bob") == .test(4))
    }
}
