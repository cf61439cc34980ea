import PushDispatch
import ServiceHost
import Testing

struct WireMembersTests {
    private func members(_ value: JSONValue?) throws -> WireMembers { try WireMembers(value, "context") }

    private func message<Value>(_ body: () throws -> Value) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? WireError)?.description ?? "\(error)"
        }
    }

    @Test func `a text has 1 to 255 bytes, and a number is taken as text`() throws {
        let long = String(repeating: "é", count: 128)
        let context = try members([
            "a": "x", "n": 5, "f": true, "null": .null, "empty": "", "list": [], "long": .string(long),
        ])
        #expect(try context.text("a") == "x")
        #expect(try context.text("n") == "5")
        #expect(try context.text("f") == "true")
        #expect(try context.text("null") == nil && context.text("missing") == nil)
        #expect(message { try context.text("empty") } == "context.empty is empty")
        #expect(message { try context.text("list") } == "context.list is an array; a string is wanted")
        #expect(message { try context.text("long") } == "context.long is longer than 255 bytes")
        #expect(try context.text("long", limit: 256) == long)
        #expect(message { try context.checkLength("long") } != nil)
        try context.checkLength("empty")
    }

    @Test func `custom values are scalars, with bounds on number, names and sizes`() throws {
        let context = try members(["a": "x", "b": 2, "c": .null, "known": [1]])
        #expect(try context.scalars(except: ["known"], limit: 2) == ["a": "x", "b": "2"])
        #expect(message { try context.scalars(except: ["known"], limit: 1) } == "context has more than 1 values")
        #expect(message { try context.scalars(except: [], limit: 5) }?.contains(#""known" is an array"#) == true)
        #expect(message { try members(["": 1]).scalars(except: [], limit: 5) }?.contains("is empty or longer") == true)
        let large = try members(["a": .string(String(repeating: "x", count: 4_097))])
        #expect(message { try large.scalars(except: [], limit: 5) }?.contains("longer than 4096 bytes") == true)
    }

    @Test func `what is not an object is named with its place`() {
        #expect(message { try members(nil) } == "context is missing; an object is wanted")
        #expect(message { try WireMembers([1], "") } == "the body is an array; an object is wanted")
    }

    @Test func `a body has a bound on its size and depth`() throws {
        #expect(try WireMembers.json(Array("[1]".utf8)) == [1])
        #expect(
            message { try WireMembers.json(Array(repeating: 0x20, count: WireLimits.body + 1)) }?.contains("bytes")
                == true)
        let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        #expect(message { try WireMembers.json(Array(deep.utf8)) } != nil)
    }

    @Test func `a wait is in whole seconds, rounded up`() {
        var error = WireError(429, "slow down")
        error.ask(toWait: 1_001)
        #expect(error.headers == ["retry-after": "2"])
        #expect(WireError.seconds(1_000) == 1 && WireError.seconds(0) == 0)
    }
}
