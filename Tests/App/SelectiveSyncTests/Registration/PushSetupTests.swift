import SelectiveSync
import Testing

struct PushSetupTests {
    private actor System: PushSystem {
        private(set) var registrations = 0
        private(set) var questions = 0
        private let answer: Result<Bool, any Error>

        init(_ answer: Result<Bool, any Error>) { self.answer = answer }

        func registerForRemoteNotifications() { registrations += 1 }

        func requestAuthorization() throws -> Bool {
            questions += 1
            return try answer.get()
        }
    }

    private let events = Shared<[PushSetupEvent]>([])

    private func setup(_ system: System, asksForPermission: Bool = true) -> PushSetup {
        PushSetup(system, asksForPermission: asksForPermission) { [events] event in
            events.change { $0.append(event) }
        }
    }

    @Test func `a launch asks for the device token and the user nothing`() async {
        let system = System(.success(true))
        await setup(system).launched()
        #expect(await system.registrations == 1)
        #expect(await system.questions == 0)
    }

    @Test func `the user is asked once, and a refusal is reported`() async {
        let system = System(.success(false))
        let setup = setup(system)
        await setup.becameActive()
        await setup.becameActive()
        #expect(await system.questions == 1)
        #expect(events.value == [.permission(isGranted: false)])
    }

    @Test func `a system that cannot ask is an event, and no permission`() async {
        let setup = setup(System(.failure(TestError())))
        #expect(await !setup.askForPermission())
        #expect(events.value == [.permissionFailed(errorType: "TestError")])
    }

    @Test func `an app that asks by itself is not asked for when it becomes active`() async {
        let system = System(.success(true))
        let setup = setup(system, asksForPermission: false)
        await setup.becameActive()
        #expect(await system.questions == 0)
        #expect(await setup.askForPermission())
    }

    @Test func `a device token that does not come is an event`() async {
        await setup(System(.success(true))).failedToRegister(TestError())
        #expect(events.value == [.noDeviceToken(errorType: "TestError")])
    }
}
