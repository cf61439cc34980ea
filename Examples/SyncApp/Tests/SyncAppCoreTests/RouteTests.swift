import PushDispatch
import SelectiveSync
import SyncAppCore
import Testing

@MainActor
struct RouteTests {
    @Test func `a tap opens the screen of what the push is about`() async throws {
        try await withWorld { world in
            let crm = try world.launched()
            func screen(_ push: Push, _ action: PushTap.Action = .open) -> Screen? {
                Screen(PushTap(push, target: crm.target(of: push), action: action))
            }
            #expect(screen(.accountUpdate) == .account(World.northwind))
            #expect(screen(.visitReminder) == .visit(World.northwind))
            #expect(screen(Push(["aps": ["alert": "Hello"], "type": "NEWS"])) == .list)
            #expect(screen(.accountUpdate, .dismiss) == nil)
        }
    }

    @Test func `a screen says which record it shows`() {
        #expect(Screen.account(World.northwind).record?.object == "Account")
        #expect(Screen.visit(World.northwind).record?.object == "Visit__c")
        #expect(Screen.visit(World.northwind).record?.id == World.northwind)
        #expect(Screen.list.record == nil)
    }

    @Test func `a tap that launches the app is kept until a screen reads it`() async throws {
        try await withWorld { world in
            let crm = try world.launched()
            let router = Router()
            let push = Push.visitReminder
            router.open(PushTap(push, target: crm.target(of: push), action: .open))
            for await screen in router.screens {
                #expect(screen == .visit(World.northwind))
                break
            }
        }
    }

    @Test func `a screen that opens again reads on`() async throws {
        try await withWorld { world in
            let crm = try world.launched()
            let router = Router()
            let first = router.screens
            let reader = Task { for await _ in first {} }
            reader.cancel()
            await reader.value
            let screens = router.screens
            let push = Push.visitReminder
            router.open(PushTap(push, target: crm.target(of: push), action: .open))
            for await screen in screens {
                #expect(screen == .visit(World.northwind))
                break
            }
        }
    }
}
