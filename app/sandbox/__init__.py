"""The sandbox: runs one call in one fresh, locked box, and tells what happened as a fact."""

from app.sandbox.keeper import Keeper
from app.sandbox.plan import Tier

__all__ = ["Keeper", "Tier"]
