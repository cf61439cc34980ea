import PushDispatch
import Testing

struct JSONValueTests {
    @Test(
        arguments: [
            (JSONValue.bool(true), true), (.bool(false), false), (1, true), (0, false), (.number(1), true),
            (.number(0), false), (2, nil), (.number(0.5), nil), ("1", nil), (.null, nil), ([], nil),
        ] as [(JSONValue, Bool?)])
    func `a flag is a Boolean, 1 or 0`(value: JSONValue, flag: Bool?) {
        #expect(value.flag == flag)
    }

    @Test func `a repeated key of a literal keeps its last value`() {
        #expect((["a": 1, "a": 2] as JSONValue).object == ["a": 2])
    }

    @Test func `a value has the members of its own kind only`() {
        #expect(("x" as JSONValue).string == "x" && ("x" as JSONValue).array == nil && ("x" as JSONValue).object == nil)
        #expect(([1] as JSONValue).array == [1] && ([1] as JSONValue).string == nil)
    }
}
