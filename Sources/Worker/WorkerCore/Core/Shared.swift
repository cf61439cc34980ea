/// A value that does not change, behind a reference. A copy retains one object, however many the value refers to.
package final class Shared<Value: Sendable>: Sendable {
    package let value: Value

    init(_ value: consuming Value) { self.value = value }
}
