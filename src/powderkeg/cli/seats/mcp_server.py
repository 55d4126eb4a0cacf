"""An MCP server that answers wrong arguments in a plain sentence. Needs the extra `mcp`."""

from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from powderkeg.core.words import Msg, say


class PlainServer(MCPServer):
    """`MCPServer` whose errors about arguments an assistant can act on."""

    def __init__(self, name: str, *, lang: str, **more: Any) -> None:
        super().__init__(name, **more)
        self.lang = lang

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; raises `ToolError` in words when its arguments are wrong."""
        tool = next((tool for tool in await self.list_tools() if tool.name == name), None)
        fields = tool.input_schema["properties"] if tool else {}
        if tool and (unknown := sorted(set(arguments) - set(fields))):
            raise self._argument_error("unknown", name, fields, unknown)
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = sorted({str(each["loc"][0]) for each in error.__cause__.errors()})
            raise self._argument_error("wrong", name, fields, wrong) from error

    def _argument_error(
        self, code: str, tool: str, fields: dict[str, Any], wrong: list[str]
    ) -> ToolError:
        takes = ", ".join(fields) or "-"
        msg = Msg(f"bots.mcp.{code}_argument", tool=tool, takes=takes, names=", ".join(wrong))
        return ToolError(say(msg, self.lang))
